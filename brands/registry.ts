import type { Brand } from './brand.ts'
import { nightcoreMeridian } from './nightcore-meridian/brand.ts'
import { slowedReverbMeridian } from './slowed-reverb-meridian/brand.ts'

export const brands: readonly Brand[] = [slowedReverbMeridian, nightcoreMeridian]

/** The brand whose word `host` contains, else the default one. */
export function brandOfHost(host: string): Brand {
  const lower = host.toLowerCase()
  const brand =
    brands.find((each) => each.hostWord !== undefined && lower.includes(each.hostWord)) ??
    brands.find((each) => each.hostWord === undefined)
  if (brand === undefined) throw new Error('brands/registry.ts lists no default brand')
  return brand
}
