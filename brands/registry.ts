import type { Brand } from './brand.ts'
import { nightcoreMeridian } from './nightcore-meridian/brand.ts'
import { slowedReverbMeridian } from './slowed-reverb-meridian/brand.ts'

export const brands: readonly Brand[] = [slowedReverbMeridian, nightcoreMeridian]

/** Returns the brand whose `hostWord` the host name contains, or the default brand. */
export function findBrandOfHost(host: string): Brand {
  const lowerCaseHost = host.toLowerCase()
  const brand =
    brands.find((each) => each.hostWord !== undefined && lowerCaseHost.includes(each.hostWord)) ??
    brands.find((each) => each.hostWord === undefined)
  if (brand === undefined) throw new Error('brands/registry.ts lists no default brand')
  return brand
}
