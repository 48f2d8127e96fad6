import { row, type ProviderErrorRow } from "./row.ts";

/** One pattern of several phrases, in capitals or not. */
function anyOf(phrases: readonly RegExp[]): RegExp {
  return new RegExp(phrases.map(({ source }) => source).join("|"), "i");
}

/** The same, where `other` stands nowhere in the text. */
function without(other: RegExp, phrases: readonly RegExp[]): RegExp {
  return new RegExp(`^(?!.*${other.source}).*(?:${anyOf(phrases).source})`, "is");
}

/** A bad request tells by its words what is bad about it; of a prompt or a model only. */
const badRequest = [400, 422, "none"] as const;
/** Gateways answer with these where a policy refused; 424 and 446 are Cloudflare's and Portkey's. */
const blocked = [400, 403, 412, 422, 424, 446, 451, "none"] as const;

/**
 * Words that all providers use, for those that nobody has listed: two that belong together, as one
 * alone (`limit`, `token`, `model`) stands in errors of every kind, or one that stands in no other
 * (`forbidden`, `RECITATION`). These hide behind a status that says something else.
 */
export const hiddenWords: readonly ProviderErrorRow[] = [
  row(
    "context_overflow",
    "several: more tokens than fit",
    {
      status: badRequest,
      text: without(/\b(?:rate limit|per (?:minute|second|hour|day)|[TR]P[MDS])\b/, [
        /\b(?:too many|maximum(?: number of)?|max|exceed\w*|over|more than|number of) (?:[\w-]+ ){0,4}tokens?\b(?!.{0,40}\bper\b).{0,80}(?:\bexceed|\blimit|\bmaximum\b|\ballowed\b|\bcontext\b|\d{4,})/,
        /\breduce (?:the|your) (?:[\w-]+ ){0,3}(?:length|size|prompt|input|messages?|context)\b/,
        /\b(?:exceed\w*|larger than|longer than|beyond|over|does not fit(?: in(?:to)?)?|greater than) (?:[\w'’-]+ ){0,5}(?:context|n_ctx|num_ctx|token limit|input limit|sequence length|model length|max_model_len|max_seq_len|input length)\b/,
        /\b(?:context|sequence|prompt|input|conversation|messages?|payload|body) (?:[\w-]+ ){0,3}(?:too (?:long|large|big)|overflow(?:ed)?|over(?:flows)?)\b/,
        /\bcontext (?:window|length|size|limit)\b.{0,60}\b(?:exceed|overflow|full|reached|too small|larger)/,
        /\b(?:prompt|input|messages?|request|text|conversation)\b.{0,40}\d{4,} tokens?\b.{0,60}\b(?:maximum|limit|max|only|exceed\w*|more than)/,
      ]),
    },
    "The conversation is too long for this model",
  ),
  row(
    "refused",
    "several: policy, safety, moderation",
    {
      status: blocked,
      text: anyOf([
        /\b(?:content|safety|usage|acceptable use|moderation|responsible ai) (?:[\w-]+ ){0,2}(?:polic(?:y|ies)|filters?|filtered|system|guidelines|guardrails?|violation|check)\b/,
        /\bviolat\w+ (?:[\w'’-]+ ){0,4}(?:polic|terms|guidelines|rules)/,
        /\bguardrail_intervened\b/,
        /\bguardrails?\b.{0,40}\b(?:block|interven|refus|reject|violat|trigger|fail)/,
        /\b(?:block|interven|refus|reject|trigger)\w* (?:[\w-]+ ){0,3}guardrails?\b/,
        /\b(?:prompt|response|content|input|output|request|message|completion|generation|text) (?:[\w-]+ ){0,3}(?:flagged|blocked|filtered|moderated|censored)\b/,
        /\bmoderation\b.{0,30}\b(?:flag|block|reject|fail|refus)/,
        /\b(?:flagged|blocked|rejected|refused)\b.{0,40}\b(?:moderation|safety|harmful|unsafe|inappropriate|polic(?:y|ies)|violence)\b/,
        /\b(?:inappropriate|harmful|unsafe|prohibited|sensitive|disallowed|illegal) (?:content|material|information|words?|text)\b/,
        /\bmatched public code\b/,
        /\bRECITATION\b/,
        /\bblock_?reason\b/,
        /\b(?:finish|stop)[_ ]?reason["']?:?\s*["']?(?:content_filter|safety|refusal|prohibited_content|blocklist|recitation|spii)\b/,
        /内容安全/,
        /敏感/,
        /违规/,
        /不当内容/,
      ]),
    },
    "The content violates our safety policy, please modify your input and try again",
  ),
  row(
    "model_not_found",
    "several: no such model",
    {
      status: badRequest,
      text: anyOf([
        /\bmodels?\b(?:[ :]+["'`]?[\w./:@-]+["'`]?)?,? (?:[\w']+ ){0,3}(?:not (?:found|exist|available|supported|loaded|served|deployed|recognized|installed|enabled|accessible)|doesn't exist|isn't (?:available|supported)|unavailable to|no longer (?:available|supported)|unknown|deprecated|decommissioned|retired|discontinued|sunset|does not exist|is invalid)\b/,
        /\b(?:unknown|invalid|unrecogni[sz]ed|unsupported|no such|missing|nonexistent|not found the|could(?:n't| not) find(?: the)?|cannot find(?: the)?|failed to (?:find|load)|no access to|access to(?: the)?|not (?:have|authorized for)(?: access to)?(?: the)?|pull) (?:[\w-]+ )?(?:models?(?: ?ID)?|deployments?)\b(?! (?:provider|configuration|parameter|output|response))/,
        /\bLLM Provider NOT provided\b/,
        /\bno (?:allowed )?(?:endpoints?|providers?|deployments?|instances?|healthy deployments)\b.{0,40}\b(?:found|available|match|support|serving|for)\b/,
        /\b(?:deployment|endpoint|inference profile|checkpoint)\b.{0,60}\b(?:not (?:found|exist)|does not exist|doesn't exist)\b/,
        /\bModel\w*(?:NotFound|Unavailable|NotSupported)\w*/,
        /模型.{0,12}(?:不存在|不支持|未开通|下线)/,
      ]),
    },
    "could not load model: no such model in the configured models directory",
  ),
  row(
    "usage_limit",
    "several: the plan, the credits, the money",
    {
      status: [403, 412, "none"],
      text: anyOf([
        /\b(?:daily|weekly|monthly|hourly|yearly|included|free|free[- ]tier|premium|trial|prepaid|billing|usage|plan|subscription|spend(?:ing)?|\d+[- ]hours?) (?:[\w-]+ ){0,2}(?:quotas?|allowance|allotment|limits?|credits?|balance|budget|cap|units)\b(?! (?:name|parameter|field|must|should)).{0,60}\b(?:exceeded|exhausted|reached|depleted|used up|consumed|hit|spent|insufficient|expired|empty|over|left|remaining|ran out)\b/,
        /\b(?:exceeded|exhausted|reached|depleted|used (?:up )?(?:all|up)|consumed|hit|spent|insufficient|out of|ran out of|run out of|not enough|no more|no remaining|no|low) (?:[\w'’-]+ ){0,4}(?:quotas?|credits?|balance|funds|budget|allowance|usage limits?|(?:daily|weekly|monthly|hourly) limits?|plan limits?|premium requests|tokens for (?:today|this (?:month|week|day)))\b/,
        /\b(?:upgrade|top[- ]?up|recharge|add (?:more )?(?:credits|funds)|purchase|buy|enable billing|billing (?:account|issue|problem)|payment (?:required|method|failed|overdue)|unpaid|overdue|past due|suspended due to)\b.{0,40}\b(?:plan|account|balance|credits?|quota|limit|invoice|billing|subscription|continue|tier)\b/,
        /\b(?:max(?:imum)?|over|exceeds?) (?:the )?budget\b/,
        /\benough (?:points|credits|tokens|funds|units|coins)\b/,
        /\bquota (?:[\w-]+ ){0,2}(?:exceeded|exhausted|reached|limit)\b/,
        /\bQuotaExceeded\b/,
        /余额/,
        /欠费/,
        /额度/,
        /配额/,
        /套餐/,
        /充值/,
      ]),
    },
    "Your free credits were consumed",
  ),
];

/** The same for errors without a status; tried last of all. */
export const plainWords: readonly ProviderErrorRow[] = [
  row(
    "rate_limit",
    "several: too fast, too many at once",
    {
      status: ["none"],
      text: anyOf([
        /\brate[- _]?limit(?:s|ing|ed)?\b.{0,40}\b(?:reached|exceeded|hit|error|active|applied|in effect|wait|retry|try again|slow)\b/,
        /\b(?:exceed\w*|hit|reached|due to|over) (?:[\w'’-]+ ){0,4}rate[- ]?limit/,
        /\b(?:been|being|are|is|was|were|got|currently|temporarily) rate[- ]?limited\b/,
        /\btoo many (?:[\w-]+ ){0,2}(?:requests|calls|connections|generations|sessions)\b/,
        /\b(?:max(?:imum)?|limit of|exceeded|reached|over) (?:[\w-]+ ){0,3}(?:RPM|TPM|QPS|RPS|TPS|concurrency)\b/,
        /\b(?:QPS|RPM|TPM|RPS|concurrency|concurrent (?:requests?|calls?|generations?|connections?)|requests per (?:second|minute)|tokens per (?:second|minute)|parallel requests?)\b.{0,40}\b(?:limit|exceed|reached|max|too (?:high|many))/,
        /\b(?:request|call) frequency\b.{0,30}\bexceed/,
        /\bslow(?:ing)? down\b/,
        /\bthrottl(?:ed|ing)\b/,
        /\bTooManyRequests\w*\b/,
        /^error code: 1015\b/,
        /并发/,
        /限流/,
        /频率/,
        /频繁/,
        /请求过(?:多|快)/,
        /速率/,
      ]),
    },
    "Open api qps request limit reached",
  ),
  row(
    "auth",
    "several: keys, sign-in, rights",
    {
      status: ["none"],
      text: anyOf([
        /\bauthenticat(?:ion|e|ed|ing)\b.{0,60}\b(?:fail|requir|error|invalid|missing|expired|denied|no |not |could|unable|information|please|first|incorrect|rejected)/,
        /\b(?:no|not|failed|invalid|missing|unable to|could not|couldn't|cannot|incorrect|need to|must|please(?: re-?)?) ?(?:[\w-]+ ){0,3}(?:authenticat\w+|authoriz(?:ation|ed)|log ?in|sign ?in|logged in|signed in|credentials?|api[ _-]?keys?|api[ _-]?tokens?|access tokens?|bearer token|secret key|auth token)\b/,
        /\b(?:api[ _-]?(?:secret[ _-]?)?key|access[ _-]?token|auth(?:entication|orization)?[ _-]?(?:token|header|key)|bearer token|oauth token|refresh token|credentials?|session|login|secret key|license(?: key)?|id token|PAT)\b.{0,40}\b(?:invalid|incorrect|missing|expired|revoked|disabled|deleted|not (?:found|set|provided|valid|configured|recognized|authorized|exist)|required|wrong|denied|fail(?:ed)?|no longer|could not be (?:found|verified)|malformed|rejected|unset|empty|is null|blocked|inactive)\b/,
        /\b(?:unauthori[sz]ed|permission denied|access (?:is )?denied|forbidden|not (?:authorized|permitted|entitled) (?:to|for)|insufficient (?:permissions?|privileges|scopes?)|(?:missing|required|lacks?|have|has) (?:[\w-]+ ){0,3}permissions?|unauthenticated|permissions? .{0,60}\bdenied)\b/,
        /\b(?:[Dd]id not find|set|add|missing|export) (?:[\w-]+ ){0,4}["'`]?\w*_?(?:API|ACCESS|AUTH)[_ ]?(?:KEY|TOKEN)\b/,
        /\b(?:not (?:available|supported|allowed)|unavailable|unsupported|blocked|restricted) (?:in|for|from) (?:your |this |the )?(?:country|region|location|territory|IP)\b/,
        /\bUnsupportedCountry\w*/,
        /\b(?:invalid|wrong|incorrect) (?:user ?name|user|password)\b/,
        /\bmember of (?:an|the|this) organi[sz]ation\b/,
        /\bIP (?:address )?(?:[\w-]+ ){0,3}(?:not (?:allowed|authorized|whitelisted)|blocked|denied)\b/,
        /身份验证/,
        /鉴权/,
        /认证失败/,
        /未授权/,
        /无权/,
        /密钥/,
        /令牌/,
      ]),
    },
    "Access token invalid or no longer valid",
  ),
  row(
    "overloaded",
    "several: the server is busy or broken",
    {
      status: ["none"],
      text: anyOf([
        /\bmodel\b.{0,60}\b(?:(?:is |still |currently )+loading|warming up|starting up|cold[- ]start|being loaded)\b/,
        /\b(?:loading|warming up|starting) (?:the )?model\b/,
        /\b(?:over(?:loaded)?|at|insufficient|no(?: available)?|out of|exceeded|limited|not enough)(?: [\w-]+){0,2} capacity\b/,
        /\bcapacity (?:was |is |has been )?(?:exceeded|exhausted|reached)\b/,
        /\b(?:high|heavy|excessive|peak|unprecedented|too much) (?:demand|load|traffic|usage|volume)\b/,
        /\b(?:server|service|system|engine|backend|upstream|gateway|provider|api|endpoint|cluster|node|worker|queue|instance)s?\b (?:[\w-]+ ){0,4}(?:busy|overload(?:ed)?|unavailable|down|full|unhealthy|crashed|not (?:available|ready|responding)|temporarily|maintenance|offline|restarting|saturated)\b/,
        /\b(?:temporarily|currently|momentarily) (?:unavailable|overloaded|busy|out of service|at capacity|down)\b/,
        /\b(?:internal (?:server )?(?:error|exception|failure)|server[- ](?:side )?error|service unavailable|bad gateway|gateway time-?out|upstream (?:error|connect|failure|server|unavailable|prematurely))\b/,
        /\b(?:CUDA|GPU|VRAM|HIP|Metal)\b.{0,40}\b(?:out of memory|OOM|error|fault)/,
        /\bout of (?:GPU )?memory\b/,
        /\bmemory allocation\b/,
        /\bmore (?:[\w-]+ )?memory\b.{0,40}\bavailable\b/,
        /\bEngine\w* (?:loop )?(?:encountered|has died|is dead|died)\b/,
        /\bno (?:available|healthy|free) (?:server|channel|slot|worker|backend|upstream|instance|replica|node|runner)s?\b/,
        /\bslots? (?:[\w-]+ ){0,2}(?:unavailable|busy|available)\b/,
        /\b(?:engine|runner|worker|llama runner|backend|model server) (?:[\w-]+ ){0,3}(?:died|dead|crash(?:ed)?|exited|stopped|killed|terminated|failed)\b/,
        /\b(?:EngineDead|InternalServer|ServiceUnavailable|ServerError|Overloaded)\w*/,
        /繁忙/,
        /过载/,
        /服务(?:不可用|异常)/,
        /系统(?:异常|错误|内部)/,
        /内部错误/,
        /负载/,
      ]),
    },
    "Model bigcode/starcoder2-15b is currently loading",
  ),
  row(
    "timeout",
    "several: no answer in time",
    {
      status: ["none"],
      text: anyOf([
        /\b(?:timed[- ]?out|time[- ]?out|timeout) (?:[\w.-]+ ){0,3}(?:read(?:ing)?|awaiting|waiting|exceeded|expired|reached|after|on)\b/,
        /\b(?:read|response|request|idle|stream|headers?|body|generation|inference|client|socket|call|overall|total|upstream) ?time[- ]?out\b/,
        /\btimed[- ]?out\b/,
        /\b(?:no|without(?: a| any)?) (?:response|answer|data|output|reply|activity|bytes?|tokens?|chunks?|events?|progress)\b.{0,30}\b(?:within|after|for|in) \d/,
        /\btook too long\b/,
        /\bdeadline (?:was |has been )?exceeded\b/,
        /\bdue to time-?out\b/,
        /\bDeadlineExceeded\b/,
        /\b(?:did(?:n't| not)|has(?:n't| not)) (?:sen[dt]|receive|deliver)\w* (?:any |a |the )?(?:data|bytes?|tokens?|response|answer|output|chunks?|events?)\b/,
        /\b(?:did(?:n't| not)|failed to|does not|has not) (?:respond|answer|reply|complete|finish|return|produce)\w* (?:[\w-]+ ){0,4}(?:within|in time|after|before)\b/,
        /\b\w*(?:Read|Response|Request|Socket)Timeout\w*\b/,
        /超时/,
      ]),
    },
    "The model did not respond within 120 seconds",
  ),
  row(
    "network",
    "several: the line",
    {
      status: ["none"],
      text: anyOf([
        /\b(?:PKIX|certificates?|certification path|SSL|TLS|handshake|x509|CERTIFICATE_\w+)\b.{0,60}\b(?:fail|error|invalid|expired|verify|verif|untrusted|unknown|unable|not |self|mismatch|abort|alert|issuer|revoked|wrong|EOF|closed)/,
        /\b(?:unable|fail\w*|could not|couldn't|cannot|can't|error) (?:[\w-]+ ){0,3}(?:certificat\w+|handshake|resolve|connect(?:ing|ion)?|reach)\b/,
        /\b(?:DNS|hostname|host name|getaddrinfo|nodename|name resolution|lookup)\b.{0,60}\b(?:fail|error|not |no |unknown|unable|could|timeout|ENOTFOUND|EAI_AGAIN|servname)/,
        /\bconnection(?: \w+){0,3} (?:error|fail(?:ed|ure)?|reset|refused|closed|aborted|lost|dropped|terminated|broken|interrupted|shut ?down|forcibly)\b/,
        /\b(?:reset|refused|closed|aborted|lost|dropped|terminated|broke|interrupted|no|bad) (?:[\w-]+ ){0,2}connection\b/,
        /\b(?:connection|socket|stream|pipe|transport|channel|websocket|tunnel|session|body|response)\b.{0,40}\b(?:reset|refused|closed|aborted|hang ?up|hung up|disconnected|broken|broke|terminated|premature(?:ly)?|incomplete|not completed?|truncated|cut|dropped|ended (?:early|unexpectedly|before)|interrupted|destroyed|GOAWAY|lost)\b/,
        /\b(?:premature|unexpected|incomplete|early|abrupt|truncated) (?:[\w-]+ ){0,2}(?:EOF|end|close|read|stream|chunk\w*|message|payload|response|body)\b/,
        /\b(?:broken pipe|unreachable|no route|network(?: is)? (?:down|error|failure|issue|changed|connection)|offline|NetworkError|fetch failed|proxy (?:connection|error|server|refused)|ProxyError|ConnectError|ConnectionError|RemoteProtocolError|ReadError|WriteError|ProtocolError|IncompleteRead|ChunkedEncodingError|ClientPayloadError|ServerDisconnected\w*|ClientConnector\w*|SSLError|SSLHandshakeException|UnknownHostException|ConnectException|SocketException|EOFException|IOException)\b/,
        /\bstream ID \d+; \w+/,
        /\b(?:RST_STREAM|GOAWAY|ERR_\w*(?:CONNECTION|NETWORK|STREAM|INTERNET|NAME|PROXY|CERT|TUNNEL)\w*|(?:invalid|malformed|garbled|corrupt\w*) (?:[\w-]+ ){0,2}(?:SSE|event stream|chunk\w*|stream data|frame))\b/,
        /\bconnect (?:ECONN|ETIMEDOUT|EHOST|ENET)\w+/,
      ]),
    },
    "Response payload is not completed",
  ),
];
