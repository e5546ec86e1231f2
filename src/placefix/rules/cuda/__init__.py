"""Code that names CUDA."""
