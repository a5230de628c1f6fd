/** So much of a song was really heard before it counts as a play. */
export const COUNT_AFTER_SECONDS = 5
/** So much was heard that the video evidently plays. */
const HEARD_AFTER_SECONDS = 1
/** A longer step between two positions is a seek, not listening. */
const LONGEST_STEP_SECONDS = 3

/** Adds up what is really heard of the video that was begun; each of the two is called once for it. */
export function createPlayWatch({ heard, counted }: { heard: () => void; counted: () => void }) {
  let lastSeconds = 0
  let sumSeconds = 0
  return {
    begin(atSeconds: number) {
      lastSeconds = atSeconds
      sumSeconds = 0
    },
    jump(toSeconds: number) {
      lastSeconds = toSeconds
    },
    at(seconds: number) {
      const step = seconds - lastSeconds
      lastSeconds = seconds
      if (step <= 0 || step > LONGEST_STEP_SECONDS) return
      const before = sumSeconds
      sumSeconds += step
      if (before < HEARD_AFTER_SECONDS && sumSeconds >= HEARD_AFTER_SECONDS) heard()
      if (before < COUNT_AFTER_SECONDS && sumSeconds >= COUNT_AFTER_SECONDS) counted()
    },
  }
}
