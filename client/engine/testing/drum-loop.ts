/** Synthesizes a drum loop: a kick on each beat, a snare on every second beat, a hat between beats. The noise is the same each time. */
export function drumLoop(bpm: number, { sampleRate = 44_100, seconds = 30 } = {}): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(Math.round(sampleRate * seconds))
  const nextNoise = createNoise()
  const beatS = 60 / bpm
  const addHit = (atS: number, level: number, decayS: number, waveAt: (timeS: number) => number) => {
    const start = Math.round(atS * sampleRate)
    const frames = Math.min(samples.length - start, Math.round(5 * decayS * sampleRate))
    for (let frame = 0; frame < frames; frame++) {
      const timeS = frame / sampleRate
      samples[start + frame] = (samples[start + frame] ?? 0) + level * Math.exp(-timeS / decayS) * waveAt(timeS)
    }
  }
  for (let beat = 0; beat * beatS < seconds; beat++) {
    addHit(beat * beatS, 0.7, 0.04, (timeS) => Math.sin(2 * Math.PI * 60 * timeS))
    if (beat % 2 === 1) addHit(beat * beatS, 0.4, 0.04, nextNoise)
    addHit((beat + 0.5) * beatS, 0.15, 0.01, nextNoise)
  }
  return samples
}

/** Returns a generator of noise from -1 to 1. It is the linear congruential generator of "Numerical Recipes". */
export function createNoise(): () => number {
  let randomState = 1
  return () => {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
    return randomState / 2 ** 31 - 1
  }
}
