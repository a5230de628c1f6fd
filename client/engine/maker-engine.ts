import { createEngine } from './create-engine.ts'
import { type Engine, SLOWED_EFFECTS } from './engine.ts'

interface SiteSettings {
  readonly MAKER_SPEED: number
  readonly DEFAULT_PITCH: number
}

/**
 * Creates the engine of the maker page, with the initial settings of the site. On a site for slowed songs, the maker opens with the reverb
 * and bass of the preset Slowed + Reverb.
 */
export const openMakerEngine = ({ MAKER_SPEED, DEFAULT_PITCH }: SiteSettings, ownerId: string | undefined): Engine =>
  createEngine({
    settings: { speed: MAKER_SPEED, pitch: DEFAULT_PITCH, ...(MAKER_SPEED < 1 && SLOWED_EFFECTS) },
    ...(ownerId !== undefined && { ownerId }),
  })
