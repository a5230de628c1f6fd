import type { MakerSettings } from '../../bindings/maker.ts'

/** A name for settings: one of these, or a person's own. */
export interface Preset {
  readonly name: string
  readonly settings: MakerSettings
}

const plain: MakerSettings = { speed: 1, pitch: 0, reverbSize: 0, reverbAmount: 0, bassDb: 0 }

/** Tempo raised by a quarter is the middle of what nightcore is: 20 to 35 percent. */
export const presets: readonly Preset[] = [
  { name: 'Nightcore', settings: { ...plain, speed: 1.25 } },
  { name: 'Slowed', settings: { ...plain, speed: 0.85 } },
  { name: 'Slowed + Reverb', settings: { ...plain, speed: 0.8, reverbSize: 50, reverbAmount: 35, bassDb: 3 } },
]

export const sameSettings = (a: MakerSettings, b: MakerSettings): boolean =>
  a.speed === b.speed &&
  a.pitch === b.pitch &&
  a.bassDb === b.bassDb &&
  a.reverbAmount === b.reverbAmount &&
  // The size of a reverb that is off is nobody's matter.
  (a.reverbAmount === 0 || a.reverbSize === b.reverbSize)
