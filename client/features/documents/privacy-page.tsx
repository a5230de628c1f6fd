import { pages } from '../../../contract/pages.ts'
import { useDocument } from '../../hooks/documents.ts'
import { formatLongDate } from '../../ui/format.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { DocumentPage, type DocumentPageProps } from './document-page.tsx'

/** The privacy policy, with the date of its last change. */
export function PrivacyPage({ renderProblem }: DocumentPageProps) {
  const loaded = useDocument('privacy')
  return (
    <DocumentPage
      heading={pages['/privacy'].heading}
      lead={loaded.data && `Last updated ${formatLongDate(loaded.data.updated)}`}
      loaded={loaded}
      isText
      renderProblem={renderProblem}
    >
      {({ content }) => <RichText nodes={content} />}
    </DocumentPage>
  )
}
