"""The structure of a file and its repository: statement trees, scopes, names, and the meaning of tests."""
