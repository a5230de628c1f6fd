declare module 'music-tempo' {
  /** BeatRoot's method (Dixon, 2001). Its numbers are frames and seconds. */
  export default class MusicTempo {
    /** @throws a text where it finds nothing */
    constructor(samples: number[], options?: { bufferSize?: number; hopSize?: number; timeStep?: number })
    /** When the beats are. */
    readonly beats: readonly number[]
    /** For each hop, how much the spectrum rises; of mean 0 and standard deviation 1. */
    readonly spectralFlux: readonly number[]
  }
}
