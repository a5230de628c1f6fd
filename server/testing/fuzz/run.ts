/** The duration of a fuzz test, and the seed of its random numbers. The same seed results in the same requests. */
export interface FuzzRun {
  seed: number
  /** The duration of the test. If it is undefined, the test runs one round. */
  minutes: number | undefined
}

/** A small part of the fuzz test, which is the same in every run. */
export const quickRun: FuzzRun = { seed: 20_261_125, minutes: undefined }

/** A long run. `FUZZ_MINUTES` sets its duration (default 10), and `FUZZ_SEED` its seed, which is printed, and random by default. */
export function readLongFuzzRun(): FuzzRun {
  const { FUZZ_MINUTES, FUZZ_SEED } = process.env
  const fuzzSeed = FUZZ_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(FUZZ_SEED)
  const fuzzMinutes = FUZZ_MINUTES === undefined ? 10 : Number(FUZZ_MINUTES)
  if (!Number.isSafeInteger(fuzzSeed) || !(fuzzMinutes > 0)) throw new TypeError('FUZZ_SEED and FUZZ_MINUTES must be numbers')
  console.info(`FUZZ_SEED=${fuzzSeed} FUZZ_MINUTES=${fuzzMinutes}`)
  return { seed: fuzzSeed, minutes: fuzzMinutes }
}
