import type { Site } from '../../contract/site.ts'
import { areRowsEqual } from './catalogue-rows.ts'
import type { LocalDatabase } from './local-database.ts'

/**
 * Returns the site of the page's HTML, else the stored site, else the site requested from the server. The site is stored for the next visit. A stored
 * site is returned immediately and refreshed in the background.
 */
export async function loadSite(database: LocalDatabase, embeddedSite: Site | undefined, request: () => Promise<Site>): Promise<Site> {
  const storeSite = async (site: Site) => {
    const storedSite = await database.read((tables) => tables.site.get('site'))
    if (!areRowsEqual(storedSite?.site, site)) await database.change((tables) => tables.site.put([{ key: 'site', site }]))
  }
  const ignoreFailure = () => {
    // If the site is not stored, the next visit requests the site.
  }
  if (embeddedSite) {
    storeSite(embeddedSite).catch(ignoreFailure)
    return embeddedSite
  }
  const storedSite = await database.read((tables) => tables.site.get('site')).catch(() => undefined)
  if (!storedSite) {
    const site = await request()
    storeSite(site).catch(ignoreFailure)
    return site
  }
  request().then(storeSite).catch(ignoreFailure)
  return storedSite.site
}
