import type { SettingKey } from '../../../contract/site.ts'

export interface SettingsStore {
  /** Returns the stored values that apply to a brand. A value of the brand overrides a value for all brands. */
  readForBrand(brandId: string): Promise<Partial<Record<SettingKey, string>>>
  /** Stores a value for a brand, or for all brands if `brandId` is undefined. `value` undefined restores the brand's default. */
  set(key: SettingKey, value: string | undefined, brandId: string | undefined): Promise<void>
}
