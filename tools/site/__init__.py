"""The pages: the web site, the reference, glossary and claims, links and pictures."""
