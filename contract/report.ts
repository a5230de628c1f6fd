/** A song report's reason that is shorter than this, trimmed: 'Please enter a valid reason.' */
export const REPORT_REASON_MIN_LENGTH = 3
