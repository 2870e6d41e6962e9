"""Electron configurations of atoms, ions, ligand fields and diatomic molecules."""
