"""Pictures to touch. Masks are boolean everywhere and True means "may attend"."""

from course_lib.widgets.attention_explorer import AttentionExplorer
from course_lib.widgets.live_drawing import LiveDrawing
from course_lib.widgets.mask_lab import MaskLab
from course_lib.widgets.model_lab import ModelLab
from course_lib.widgets.reshape_stepper import ReshapeStepper
from course_lib.widgets.scaling_lab import ScalingLab
from course_lib.widgets.sentence_lab import SentenceLab
from course_lib.widgets.soft_lookup import SoftLookup

__all__ = [
    "AttentionExplorer",
    "LiveDrawing",
    "MaskLab",
    "ModelLab",
    "ReshapeStepper",
    "ScalingLab",
    "SentenceLab",
    "SoftLookup",
]
