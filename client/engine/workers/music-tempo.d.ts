declare module 'music-tempo' {
  /** Beat tracking by BeatRoot (Dixon, 2001). Sizes are in frames, times in seconds. */
  export default class MusicTempo {
    /** @throws a string if no beats are found */
    constructor(samples: number[], options?: { bufferSize?: number; hopSize?: number; timeStep?: number })
    /** Times of the beats in seconds. */
    readonly beats: readonly number[]
    /** Spectral flux of each hop, normalized to mean 0 and standard deviation 1. */
    readonly spectralFlux: readonly number[]
  }
}
