/** Paths, parted by blanks. */
function paths(text: string): readonly string[] {
  return text.split(/\s+/).filter((path) => path !== "");
}

/** Folders below the home that hold credentials, sessions or messages. */
export const credentialFolders: readonly string[] = [
  ...paths(`
    .ssh .gnupg .password-store .aws .azure .oci .kube .docker .bluemix .terraform.d .chef .tsh
    .okta .awsvault .saml2aws .step/secrets .nomad .boundary .cloudflared .ngrok2 .fly .railway
    .wrangler .supabase .netlify .vercel .subversion/auth .jira.d .influxdbv2
    .electrum .bitcoin .ethereum .monero .near-credentials .foundry/keystores .brownie/accounts
    .mozilla .thunderbird .purple .weechat .irssi
    .pi .claude .codex .gemini .qwen .copilot .goose
    .config/gh .config/hub .config/glab-cli .config/tea .config/hut .config/gcloud .config/op
    .config/1Password .config/Bitwarden .config/rbw .config/sops .config/age .config/keepassxc
    .config/rclone .config/doctl .config/hcloud .config/linode-cli .config/scw .config/ibmcloud
    .config/heroku .config/configstore .config/netlify .config/vercel .config/stripe .config/fly
    .config/cloudflared .config/ngrok .config/railway .config/.wrangler .config/helm/registry
    .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
    .config/vivaldi .config/opera .config/Slack .config/discord .config/Element .config/Signal
    .config/Code/User/globalStorage .config/Cursor/User/globalStorage .config/weechat
    .config/remmina .config/filezilla .config/code-server
    .config/opencode .config/goose .config/github-copilot .config/crush .config/amazon-q
    .config/aichat .config/mods .config/shell_gpt .config/io.datasette.llm .config/anthropic
    .local/share/opencode .local/share/goose .local/share/crush .local/share/amazon-q
    .local/share/keyrings .local/share/kwalletd .local/share/gopass .local/share/rbw
    .local/share/com.vercel.cli .local/share/uv/credentials .local/share/jupyter/runtime
    .local/share/remmina .cache/gh .cache/rbw
  `),
  ".config/Bitwarden CLI",
];

/** Files there that no name of a secret file tells. */
export const credentialFiles: readonly string[] = paths(`
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history
  .rediscli_history .sqlite_history .irb_history .pry_history .lesshst .viminfo .histfile
  .local/share/fish/fish_history .local/share/nvim/shada/main.shada
  .local/state/nvim/shada/main.shada .local/state/bash/history .local/state/zsh/history
  .ipython/profile_default/history.sqlite
  .config/git/credentials .cargo/credentials .cargo/credentials.toml .gem/credentials
  .composer/auth.json .config/composer/auth.json .sbt/.credentials .sbt/1.0/credentials.sbt
  .ivy2/.credentials .m2/settings-security.xml .pulumi/credentials.json .terraformrc
  .sentryclirc .circleci/cli.yml .travis/config.yml .expo/state.json .config/containers/auth.json
  .kaggle/kaggle.json .config/kaggle/kaggle.json .databrickscfg .huggingface/token
  .cache/huggingface/token .cache/huggingface/stored_tokens .ollama/id_ed25519
  .jupyter/jupyter_server_config.json .jupyter/jupyter_notebook_config.json .wakatime.cfg
  .cursor/auth.json .continue/config.json .continue/config.yaml .continue/config.ts
  .continue/.env .factory/auth.json .claude.json .claude.json.backup .aider.conf.yml
  .config/cursor/auth.json .local/share/zed/credentials
  .config/solana/id.json .smbcredentials .passwd-s3fs .mc/config.json .acme.sh/account.conf
  .msmtprc .config/msmtp/config .muttrc .mutt/muttrc .mailrc .mbsyncrc .offlineimaprc .esmtprc
  .nomad-token .consul-token .okta_aws_login_config .ansible_vault_pass .vault_pass
`);

/** Configuration that tools cannot do without, some of which holds a password. */
export const mixedFiles: readonly string[] = paths(`
  .m2/settings.xml .gradle/gradle.properties .bundle/config .pip/pip.conf .config/pip/pip.conf
  .config/NuGet/NuGet.Config .nuget/NuGet/NuGet.Config .cargo/config.toml .cargo/config
  .gitconfig .config/git/config .yarnrc .yarnrc.yml .condarc .config/uv/uv.toml
  .config/pypoetry/config.toml .sbt/repositories
`);

/** Variables that move a folder, or a file, of the lists above; the usual place is hidden as well. */
export const movedPlaces: readonly (readonly [place: string, variable: string])[] = [
  [".config", "XDG_CONFIG_HOME"],
  [".local/share", "XDG_DATA_HOME"],
  [".local/state", "XDG_STATE_HOME"],
  [".cache", "XDG_CACHE_HOME"],
  [".cargo", "CARGO_HOME"],
  [".gradle", "GRADLE_USER_HOME"],
  [".bundle", "BUNDLE_USER_HOME"],
  [".bundle/config", "BUNDLE_USER_CONFIG"],
  [".composer", "COMPOSER_HOME"],
  [".config/pip/pip.conf", "PIP_CONFIG_FILE"],
  [".config/uv/uv.toml", "UV_CONFIG_FILE"],
  [".config/pypoetry", "POETRY_CONFIG_DIR"],
  [".gitconfig", "GIT_CONFIG_GLOBAL"],
  [".condarc", "CONDARC"],
  [".pulumi", "PULUMI_HOME"],
  [".kaggle", "KAGGLE_CONFIG_DIR"],
  [".cache/huggingface", "HF_HOME"],
  [".jupyter", "JUPYTER_CONFIG_DIR"],
  [".ipython", "IPYTHONDIR"],
  [".gnupg", "GNUPGHOME"],
  [".password-store", "PASSWORD_STORE_DIR"],
  [".docker", "DOCKER_CONFIG"],
  [".azure", "AZURE_CONFIG_DIR"],
  [".tsh", "TELEPORT_HOME"],
  [".config/gh", "GH_CONFIG_DIR"],
  [".config/glab-cli", "GLAB_CONFIG_DIR"],
  [".config/gcloud", "CLOUDSDK_CONFIG"],
  [".config/op", "OP_CONFIG_DIR"],
  [".config/Bitwarden CLI", "BITWARDENCLI_APPDATA_DIR"],
  [".config/helm/registry/config.json", "HELM_REGISTRY_CONFIG"],
  [".pi", "PI_CODING_AGENT_DIR"],
  [".claude", "CLAUDE_CONFIG_DIR"],
  [".codex", "CODEX_HOME"],
  [".gemini", "GEMINI_CLI_HOME"],
  [".copilot", "COPILOT_HOME"],
  [".config/opencode", "OPENCODE_CONFIG_DIR"],
];

/** Variables that name files of credentials, several of them with `:` between. */
export const credentialVariables: readonly string[] = paths(`
  AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE AWS_WEB_IDENTITY_TOKEN_FILE BOTO_CONFIG KUBECONFIG
  NETRC PGPASSFILE NPM_CONFIG_USERCONFIG npm_config_userconfig
  GOOGLE_APPLICATION_CREDENTIALS CLOUDSDK_AUTH_ACCESS_TOKEN_FILE
  TF_CLI_CONFIG_FILE DATABRICKS_CONFIG_FILE HF_TOKEN_PATH RCLONE_CONFIG SOPS_AGE_KEY_FILE
  ANSIBLE_VAULT_PASSWORD_FILE VAULT_CONFIG_PATH OCI_CLI_CONFIG_FILE REGISTRY_AUTH_FILE
  SENTRY_PROPERTIES OPENCODE_CONFIG HISTFILE LESSHISTFILE PSQL_HISTORY MYSQL_HISTFILE
  SQLITE_HISTORY REDISCLI_HISTFILE NODE_REPL_HISTORY PYTHON_HISTORY
`);

/** Readable for root alone, which kit may run as. */
export const systemFiles: readonly string[] = paths(
  "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow-",
);
