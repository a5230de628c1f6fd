import type { Site } from '../../contract/site.ts'
import { sameRow } from './catalogue-rows.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore } from './store.ts'

/**
 * The site as the page's HTML tells it, else as it was on the last visit, else as the server does. What is learnt is kept for
 * the next visit; a site of the last visit is shown at once, and asked for anew beside it.
 */
export async function keptSite(store: CatalogueStore, inPage: Site | undefined, ask: () => Promise<Site>): Promise<Site> {
  const keep = async (site: Site) => {
    const known = await readOnce(store, (tables) => tables.site.get('site'))
    if (!sameRow(known?.site, site)) await store.change((tables) => tables.site.put([{ key: 'site', site }]))
  }
  const ignore = () => {
    // Without it the next start asks the server.
  }
  if (inPage) {
    keep(inPage).catch(ignore)
    return inPage
  }
  const known = await readOnce(store, (tables) => tables.site.get('site')).catch(() => undefined)
  if (!known) {
    const site = await ask()
    keep(site).catch(ignore)
    return site
  }
  ask().then(keep).catch(ignore)
  return known.site
}
