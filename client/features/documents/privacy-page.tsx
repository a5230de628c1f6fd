import { pages } from '../../../contract/pages.ts'
import { useDocument } from '../../hooks/documents.ts'
import { formatLongDate } from '../../ui/format.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { DocumentPage } from './document-page.tsx'

/** The privacy policy, with the date of its last change. */
export function PrivacyPage() {
  const loaded = useDocument('privacy')
  return (
    <DocumentPage
      heading={pages['/privacy'].heading}
      lead={loaded.data && `Last updated ${formatLongDate(loaded.data.updated)}`}
      loaded={loaded}
      isText
    >
      {({ content }) => <RichText nodes={content} />}
    </DocumentPage>
  )
}
