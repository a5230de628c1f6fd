/** The time left is estimated only after the progress has grown by this fraction since the first call. */
const ESTIMATE_MIN_PROGRESS = 0.04

/**
 * Returns a function that describes a progress from 0 to 1 as text: `8 %, about 20 s left`. The time left is estimated from the progress
 * since the first call, because the work may have begun earlier.
 */
export function createProgressText() {
  let firstReport: { readonly atMs: number; readonly progress: number } | undefined
  return (progress: number, nowMs: number): string => {
    firstReport ??= { atMs: nowMs, progress }
    const percent = `${Math.floor(progress * 100)} %`
    const progressSinceFirst = progress - firstReport.progress
    if (progressSinceFirst < ESTIMATE_MIN_PROGRESS) return percent
    const leftS = Math.max(1, Math.ceil(((nowMs - firstReport.atMs) * (1 - progress)) / progressSinceFirst / 1000))
    return `${percent}, about ${leftS < 60 ? `${leftS} s` : `${Math.ceil(leftS / 60)} min`} left`
  }
}
