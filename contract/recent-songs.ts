/** The number of songs that the home page lists under 'Continue listening'. */
export const RECENT_SONGS_SHOWN = 4

/**
 * The key in localStorage of the number of recently played songs that this device has. A script in the head of each page copies the number to the
 * attribute `data-recent` of the root element, so that the home page has the section's height before the first paint.
 */
export const RECENT_COUNT_KEY = 'varispeed.recent'
