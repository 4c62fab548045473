"""The judge: it runs a student's function, gives points, and puts what is wrong into words."""
