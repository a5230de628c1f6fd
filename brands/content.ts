import type { ContentSettings } from '../contract/content.ts'
import { content as nightcoreMeridian } from './nightcore-meridian/content/content.ts'
import { content as slowedReverbMeridian } from './slowed-reverb-meridian/content/content.ts'

/**
 * The long texts of the brands, such as the FAQ and the privacy policy. Only the server imports them, so that no page's program contains
 * them.
 */
const contentByBrandId: Readonly<Record<string, ContentSettings>> = {
  'nightcore-meridian': nightcoreMeridian,
  'slowed-reverb-meridian': slowedReverbMeridian,
}

/** Returns the long texts of a brand from the brand's folder. @throws Error for an unknown brand */
export function createBrandContent(brandId: string): ContentSettings {
  const content = contentByBrandId[brandId]
  if (content === undefined) throw new Error(`brands/content.ts has no texts of ${brandId}`)
  return content
}
