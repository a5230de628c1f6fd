import type { Site } from '../../contract/site.ts'
import { areRowsEqual } from './catalogue-rows.ts'
import type { LocalDatabase } from './local-database.ts'

/**
 * Returns the site's brand and settings: from the page's HTML if they are embedded, else from the local database, else from the server. The
 * result is stored for the next visit. A stored site is returned immediately and refreshed in the background.
 */
export async function loadSite(database: LocalDatabase, embeddedSite: Site | undefined, requestSite: () => Promise<Site>): Promise<Site> {
  const storeSite = async (site: Site) => {
    const storedSite = await database.read((tables) => tables.site.get('site'))
    if (!areRowsEqual(storedSite?.site, site)) await database.change((tables) => tables.site.put([{ key: 'site', site }]))
  }
  const ignoreFailure = () => {
    // A failed request or write is ignored, because the next visit requests the site again.
  }
  if (embeddedSite) {
    storeSite(embeddedSite).catch(ignoreFailure)
    return embeddedSite
  }
  const storedSite = await database.read((tables) => tables.site.get('site')).catch(() => undefined)
  if (!storedSite) {
    const site = await requestSite()
    storeSite(site).catch(ignoreFailure)
    return site
  }
  requestSite().then(storeSite).catch(ignoreFailure)
  return storedSite.site
}
