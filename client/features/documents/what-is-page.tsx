import { useDocument } from '../../hooks/documents.ts'
import { useSite } from '../../hooks/services.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { DocumentPage } from './document-page.tsx'

/** The page about the genre, at the path of the setting `WHAT_IS_PATH`. */
export function WhatIsPage() {
  const loaded = useDocument('what-is')
  const { settings } = useSite()
  return (
    <DocumentPage heading={loaded.data?.title ?? settings.WHAT_IS_TITLE} loaded={loaded} isText>
      {({ content }) => <RichText nodes={content} />}
    </DocumentPage>
  )
}
