import type { Supporter } from '../../../contract/community.ts'
import type { supporterTextFields } from '../../../contract/import.ts'
import type { Pagination } from '../pagination.ts'

/** The texts and links of an imported supporter's site. */
export type SupporterTexts = Partial<Record<(typeof supporterTextFields)[number], string>>

export interface SupporterStore {
  /** Lists the imported supporters and the websites that visitors see at `atMs`, by name. */
  list(page: Pagination, atMs: number): Promise<Supporter[]>
  /** Returns the imported supporter with the domain name, which is the name before the site's host. */
  find(domainName: string): Promise<(Pick<Supporter, 'domain_name' | 'name'> & SupporterTexts) | undefined>
}
