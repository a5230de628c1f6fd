import type { ContentSettings } from '../../../contract/content.ts'
import type { SettingKey } from '../../../contract/site.ts'

/** The keys of all settings: those that every page gets, and those of long texts. */
export type StoredKey = SettingKey | keyof ContentSettings

/** The types of pictures that can be a logo, by the extension of their address. */
export const logoTypes = { svg: 'image/svg+xml; charset=utf-8', png: 'image/png', webp: 'image/webp', jpg: 'image/jpeg' } as const
export type LogoType = keyof typeof logoTypes

export interface SettingsStore {
  /** Returns the stored values that apply to a brand. A value of the brand overrides a value for all brands. */
  readForBrand(brandId: string): Promise<Partial<Record<StoredKey, string>>>
  /** Stores a picture, and returns the hash by which `readLogo` finds it. */
  putLogo(type: LogoType, bytes: Buffer): Promise<string>
  readLogo(hash: string): Promise<{ type: LogoType; bytes: Buffer } | undefined>
  /** Stores a value for a brand, or for all brands if `brandId` is undefined. `value` undefined restores the brand's default. */
  set(key: StoredKey, value: string | undefined, brandId: string | undefined): Promise<void>
}
