/** Multiplies all samples by `gain`, in place. */
export function amplify(channels: readonly Float32Array[], gain: number): void {
  if (gain === 1) return
  for (const samples of channels) for (let frame = 0; frame < samples.length; frame++) samples[frame] = (samples[frame] ?? 0) * gain
}
