import { hostPages } from '../../contract/pages.ts'
import type { Settings } from '../../contract/site.ts'
import type { HostSite } from '../http/hosts.ts'

/** Returns the value of `SHELL_PATHS_HEADER`: the paths of a host that the service worker may answer with the shell. */
export function shellPaths({ hostClass }: Pick<HostSite, 'hostClass'>, settings: Pick<Settings, 'WHAT_IS_PATH'>): string {
  const paths = hostPages(hostClass, settings)
  return paths === '*' ? paths : paths.join(',')
}
