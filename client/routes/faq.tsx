import { createFileRoute, useLocation } from '@tanstack/react-router'
import { documentRoute } from '../bindings/document-route.ts'
import { renderLoadProblem } from '../features/catalogue/load-problem.tsx'
import { FaqPage } from '../features/documents/faq-page.tsx'

export const Route = createFileRoute('/faq')({ ...documentRoute('faq'), component: Faq })

function Faq() {
  const openId = useLocation({ select: ({ hash }) => hash })
  return <FaqPage openId={openId} renderProblem={renderLoadProblem} />
}
