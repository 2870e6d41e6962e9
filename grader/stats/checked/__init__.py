"""What code and judges said of points, beside what people said of them and why they were asked."""
