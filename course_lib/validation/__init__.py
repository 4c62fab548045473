"""What layers, figures and widgets are given is checked here, each kind in its module.

Each error names the argument, what came and what fits. What begins with ``check_`` refuses and
returns nothing; what begins with ``checked_`` returns the argument in one form.
"""
