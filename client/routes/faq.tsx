import { createFileRoute, useLocation } from '@tanstack/react-router'
import { documentLoader } from '../bindings/document-loader.ts'
import { pageHead } from '../bindings/page-title.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { FaqPage } from '../features/documents/faq-page.tsx'

export const Route = createFileRoute('/faq')({
  loader: documentLoader('faq'),
  head: ({ match }) => pageHead(match.context.services.site, '/faq'),
  component: Faq,
})

function Faq() {
  const openId = useLocation({ select: ({ hash }) => hash })
  return <FaqPage openId={openId} renderProblem={renderLoadProblem} />
}
