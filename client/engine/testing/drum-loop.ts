/** Synthesizes a drum loop: a kick on each beat, a snare on every second beat, a hat between beats. The noise is the same each time. */
export function synthesizeDrumLoop(bpm: number, { sampleRate = 44_100, seconds = 30 } = {}): Float32Array<ArrayBuffer> {
  const loopSamples = new Float32Array(Math.round(sampleRate * seconds))
  const drawNoise = createNoise()
  const beatS = 60 / bpm
  const addHit = (atS: number, hitLevel: number, decayS: number, computeWaveAt: (timeS: number) => number) => {
    const startFrame = Math.round(atS * sampleRate)
    const hitFrames = Math.min(loopSamples.length - startFrame, Math.round(5 * decayS * sampleRate))
    for (let frame = 0; frame < hitFrames; frame++) {
      const timeS = frame / sampleRate
      loopSamples[startFrame + frame] = (loopSamples[startFrame + frame] ?? 0) + hitLevel * Math.exp(-timeS / decayS) * computeWaveAt(timeS)
    }
  }
  for (let beatIndex = 0; beatIndex * beatS < seconds; beatIndex++) {
    addHit(beatIndex * beatS, 0.7, 0.04, (timeS) => Math.sin(2 * Math.PI * 60 * timeS))
    if (beatIndex % 2 === 1) addHit(beatIndex * beatS, 0.4, 0.04, drawNoise)
    addHit((beatIndex + 0.5) * beatS, 0.15, 0.01, drawNoise)
  }
  return loopSamples
}

/** Returns a generator of noise from -1 to 1. It is the linear congruential generator of "Numerical Recipes". */
export function createNoise(): () => number {
  let randomState = 1
  return () => {
    randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0
    return randomState / 2 ** 31 - 1
  }
}
