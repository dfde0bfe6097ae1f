"""The learning loop in numbers: the posterior steers, the e-process claims, a person promotes.

Pure numpy and scipy, no database. Arrays carry leading dimensions freely: one team's figures have none, a simulation of
400 markets has one.
"""
