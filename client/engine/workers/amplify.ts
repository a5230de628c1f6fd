/** Multiplies all samples by `gainFactor`, in place. */
export function amplify(channelSamples: readonly Float32Array[], gainFactor: number): void {
  if (gainFactor === 1) return
  for (const samples of channelSamples)
    for (let frame = 0; frame < samples.length; frame++) samples[frame] = (samples[frame] ?? 0) * gainFactor
}
