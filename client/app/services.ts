import type { Site } from '../../contract/site.ts'
import type { Services } from '../bindings/services.tsx'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { openStore } from '../data/db.ts'
import { createApi } from '../platform/api.ts'
import { createPlayer } from '../player/player.ts'

/** Constructs what the page is made of, each from what stands below it. */
export async function createServices(site: Site): Promise<Services> {
  const api = createApi({ baseUrl: site.api_base_url })
  const catalogue = createCatalogue({ api, store: await openStore() })
  const player = createPlayer({ api, catalogue })
  return { api, site, catalogue, player }
}
