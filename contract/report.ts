/** Minimum length of a song report's trimmed reason. */
export const REPORT_REASON_MIN_LENGTH = 3
