"""What others receive: installation, pins, Colab's branch, publishing, a student's copies."""
