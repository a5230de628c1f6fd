import { contentNames } from '../../contract/content.ts'
import type { Content } from './content.ts'
import type { RouteContext } from '../route-context.ts'

/** Registers the endpoints of the brand's long texts. */
export function registerContent({ endpoint }: RouteContext, content: Content): void {
  for (const name of contentNames)
    endpoint(`GET /content/${name}`, { isCached: true }, (_input, request) => content.documentOf(name, request.site.brand))
}
