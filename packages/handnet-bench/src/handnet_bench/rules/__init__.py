"""The rules: what a submission may not do, each as violations with rule id, line and reason.

Static rules read the source; dynamic ones run it with changed numbers. `docs/handnet/rules.md` says what
neither can decide.
"""
