import type { SearchSort } from '../../bindings/catalogue.ts'

export const searchSorts = [
  { value: 'az', label: 'A-Z' },
  { value: 'za', label: 'Z-A' },
  { value: 'newest', label: 'Newest' },
  { value: 'oldest', label: 'Oldest' },
] as const satisfies readonly { value: SearchSort; label: string }[]

export const searchHeading = (text: string) => (text === '' ? 'Search' : `Results for '${text}'`)
