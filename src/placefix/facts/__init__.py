"""The analyses of one file. Rules request them from the context (`context`) and never inspect syntax."""
