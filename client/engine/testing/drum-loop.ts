/** A drum loop at `bpm`: a kick on each beat, a snare on every second, a hat between; seeded noise, the same every time. */
export function drumLoop(bpm: number, { sampleRate = 44_100, seconds = 30 } = {}): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.round(sampleRate * seconds))
  const random = createNoise()
  const beatS = 60 / bpm
  const hit = (atS: number, level: number, decayS: number, wave: (timeS: number) => number) => {
    const start = Math.round(atS * sampleRate)
    const frames = Math.min(samples.length - start, Math.round(5 * decayS * sampleRate))
    for (let frame = 0; frame < frames; frame++) {
      const timeS = frame / sampleRate
      samples[start + frame] = (samples[start + frame] ?? 0) + level * Math.exp(-timeS / decayS) * wave(timeS)
    }
  }
  for (let beat = 0; beat * beatS < seconds; beat++) {
    hit(beat * beatS, 0.7, 0.04, (timeS) => Math.sin(2 * Math.PI * 60 * timeS))
    if (beat % 2 === 1) hit(beat * beatS, 0.4, 0.04, random)
    hit((beat + 0.5) * beatS, 0.15, 0.01, random)
  }
  return samples
}

/** -1 to 1, by the linear congruence of "Numerical Recipes". */
export function createNoise(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}
