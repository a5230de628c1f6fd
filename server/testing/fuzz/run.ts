/** How long a fuzz test goes on, and what its random numbers begin with: the same seed makes the same requests. */
export interface FuzzRun {
  seed: number
  /** Undefined: one round. */
  minutes: number | undefined
}

/** A small part of the fuzz test, the same in every run of `npm test`. */
export const quickRun: FuzzRun = { seed: 20_261_125, minutes: undefined }

/** A long run: `FUZZ_MINUTES` (10) with `FUZZ_SEED`, which is printed and random without it. */
export function longRun(): FuzzRun {
  const { FUZZ_MINUTES, FUZZ_SEED } = process.env
  const seed = FUZZ_SEED === undefined ? Math.trunc(Math.random() * 2 ** 31) : Number(FUZZ_SEED)
  const minutes = FUZZ_MINUTES === undefined ? 10 : Number(FUZZ_MINUTES)
  if (!Number.isSafeInteger(seed) || !(minutes > 0)) throw new TypeError('FUZZ_SEED and FUZZ_MINUTES must be numbers')
  console.info(`FUZZ_SEED=${seed} FUZZ_MINUTES=${minutes}`)
  return { seed, minutes }
}
