"""Code that names CUDA: what it is, what guards it, and how it is written without."""
