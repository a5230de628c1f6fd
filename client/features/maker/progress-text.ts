/** The time left is estimated only after the progress has grown by this fraction since the first call. */
const ESTIMATE_MIN_PROGRESS = 0.04

/**
 * Returns a function that describes a progress from 0 to 1 as text: `8 %, about 20 s left`. The time left is estimated from the progress
 * since the first call, because the work may have begun earlier.
 */
export function createProgressText() {
  let firstReport: { readonly atMs: number; readonly progress: number } | undefined
  return (progressShare: number, nowMs: number): string => {
    firstReport ??= { atMs: nowMs, progress: progressShare }
    const percentText = `${Math.floor(progressShare * 100)} %`
    const progressSinceFirst = progressShare - firstReport.progress
    if (progressSinceFirst < ESTIMATE_MIN_PROGRESS) return percentText
    const leftS = Math.max(1, Math.ceil(((nowMs - firstReport.atMs) * (1 - progressShare)) / progressSinceFirst / 1000))
    return `${percentText}, about ${leftS < 60 ? `${leftS} s` : `${Math.ceil(leftS / 60)} min`} left`
  }
}
