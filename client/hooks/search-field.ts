import { createRef } from 'react'

/** The ref of the page's own search field, which the search button of the navigation bar focuses; empty while the page has none. */
export const pageSearchFieldRef = createRef<HTMLInputElement>()
