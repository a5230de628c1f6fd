import type { Settings } from '../../contract/site.ts'
import type { HostSite } from '../services/hosts.ts'
import { fixedPages } from './fixed-pages.ts'

/** On the shell's answer; the service worker reads it. */
export const SHELL_PATHS_HEADER = 'x-shell-paths'

/** The paths that are pages of a host, joined by commas, or `*` where all are: those the service worker may answer by itself. */
export function shellPaths(host: Pick<HostSite, 'hostClass'>, settings: Pick<Settings, 'WHAT_IS_PATH'>): string {
  if (host.hostClass === 'radio') return '*'
  if (host.hostClass === 'subscriber') return '/'
  return ['/', '/song', '/playlist', '/search', settings.WHAT_IS_PATH, ...Object.keys(fixedPages)].join(',')
}
