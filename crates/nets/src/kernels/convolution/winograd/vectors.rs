//! The transformations, compiled for 256-bit vectors.

use super::planes::Planes;
use super::{BoardFrame, transforms};
use crate::kernels::convolution::Begin;

#[target_feature(enable = "avx2,fma")]
pub(super) fn transform_weights(weights: &[f32], to: &mut Planes) {
    transforms::transform_weights(weights, to);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn add_weight_gradients(from: &Planes, gradients: &mut [f32]) {
    transforms::add_weight_gradients(from, gradients);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn transform_input(
    board: BoardFrame,
    index: usize,
    channels: usize,
    input: &[f32],
    to: &mut Planes,
) {
    transforms::transform_input(board, index, channels, input, to);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn transform_output(
    board: BoardFrame,
    index: usize,
    from: &Planes,
    begin: Begin,
    rectify: bool,
    output: &mut [f32],
) {
    transforms::transform_output(board, index, from, begin, rectify, output);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn transform_output_gradients(
    board: BoardFrame,
    index: usize,
    channels: usize,
    slopes: &[f32],
    to: &mut Planes,
) {
    transforms::transform_output_gradients(board, index, channels, slopes, to);
}
