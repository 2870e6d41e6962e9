"""Problems: the model, loading and checking of sets, what each check may say, rubrics."""
